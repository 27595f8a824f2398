// The header is all there is: the driver comes with the sanitizer.
