// The package manager wants a source file in every C target; all of this one is in its header.
