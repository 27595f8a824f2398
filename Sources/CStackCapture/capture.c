int ms_capture_placeholder;
