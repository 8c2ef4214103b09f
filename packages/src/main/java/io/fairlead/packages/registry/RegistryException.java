package io.fairlead.packages.registry;

import java.io.IOException;

/** A registry that does not give what it is asked for; the message is for people. */
public final class RegistryException extends IOException {
    private static final long serialVersionUID = 1L;

    RegistryException(String message) {
        super(message);
    }
}
