package io.fairlead.cli.history;

import java.io.FilterInputStream;
import java.io.InputStream;

/** Standard input, which the process owns and a command leaves open. */
final class Unclosed extends FilterInputStream {
    Unclosed(InputStream input) {
        super(input);
    }

    @Override
    public void close() {}
}
