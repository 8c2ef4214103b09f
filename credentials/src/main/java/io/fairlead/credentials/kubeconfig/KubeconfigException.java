package io.fairlead.credentials.kubeconfig;

/** A kubeconfig that cannot be used; the message names the file and the field, and contains no credential. */
public final class KubeconfigException extends Exception {
    private static final long serialVersionUID = 1L;

    public KubeconfigException(String message) {
        super(message);
    }
}
