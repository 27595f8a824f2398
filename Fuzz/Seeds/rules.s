# Functions whose unwind rules use what compilers seldom write.
        .text
        .globl _start
_start:
        .cfi_startproc
        .cfi_undefined rip
        call    remembering
        call    computing
        .cfi_endproc
remembering:
        .cfi_startproc
        push    %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset rbp, -16
        mov     %rsp, %rbp
        .cfi_def_cfa_register rbp
        .cfi_remember_state
        pop     %rbp
        .cfi_def_cfa rsp, 8
        .cfi_restore rbp
        ret
        .cfi_restore_state
        .cfi_register rbx, r12
        .cfi_same_value r13
        .cfi_val_offset r14, -24
        call    computing
        pop     %rbp
        ret
        .cfi_endproc
computing:
        .cfi_startproc
        .cfi_signal_frame
        # The canonical frame address is rsp + 8, the return address lies where an expression says.
        .cfi_escape 0x0f, 0x03, 0x77, 0x08, 0x96
        .cfi_escape 0x10, 0x10, 0x03, 0x08, 0x08, 0x1c
        .cfi_escape 0x16, 0x06, 0x05, 0x12, 0x16, 0x22, 0x31, 0x24
        nop
        ret
        .cfi_endproc
