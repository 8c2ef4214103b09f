package io.fairlead.model;

/** A request that ends with a {@link Status}; has no stack trace, since it is an answer and not a fault. */
public final class StatusException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Status status;

    public StatusException(Status status) {
        super(status.message(), null, false, false);
        this.status = status;
    }

    public Status status() {
        return status;
    }
}
