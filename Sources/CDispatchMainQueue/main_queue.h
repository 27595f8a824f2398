#pragma once

// What libdispatch has for a loop that serves the main queue; its own headers leave them out.

/// A descriptor that is readable while something is in the main queue; it is the queue's.
int _dispatch_get_main_queue_handle_4CF(void);

/// Runs what is in the main queue at this moment; on the main thread alone.
void _dispatch_main_queue_callback_4CF(void *message);
