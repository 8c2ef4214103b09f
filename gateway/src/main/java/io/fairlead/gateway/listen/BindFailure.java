package io.fairlead.gateway.listen;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** A listener that cannot listen: the address and the reason, for people. */
public final class BindFailure extends IOException {
    private static final long serialVersionUID = 1L;

    private final String hint;

    private BindFailure(String message, String hint, @Nullable Throwable cause) {
        super(message, cause);
        this.hint = hint;
    }

    /**
     * The endpoint cannot be bound.
     *
     * @param cause the transport's error
     */
    static BindFailure ofEndpoint(InetSocketAddress address, @Nullable Throwable cause) {
        return of(address, "--bind-address", "--secure-port", cause);
    }

    /**
     * The listener of metrics cannot be bound.
     *
     * @param cause the transport's error, null on timeout
     */
    public static BindFailure ofMetrics(InetSocketAddress address, @Nullable Throwable cause) {
        return of(address, "--metrics-address", "--metrics-address", cause);
    }

    private static BindFailure of(
            InetSocketAddress address, String hostFlag, String portFlag, @Nullable Throwable cause) {
        String words = words(cause);
        String what = "cannot listen on " + address.getHostString() + ":" + address.getPort() + ": ";
        return switch (words) {
            case "Cannot assign requested address" ->
                new BindFailure(
                        what + "it is not an address of this machine",
                        "choose one that is with " + hostFlag + "; 0.0.0.0 stands for all of them",
                        cause);
            case "Permission denied" ->
                new BindFailure(
                        what + "this user may not",
                        "ports below 1024 are the administrator's: choose another with " + portFlag,
                        cause);
            default ->
                new BindFailure(what + words, "stop what listens there, or choose another with " + portFlag, cause);
        };
    }

    /** The hint. */
    public String hint() {
        return hint;
    }

    /** Netty's native transport puts its system call and the error number before the error. */
    private static String words(@Nullable Throwable failure) {
        String message = failure == null ? "no answer" : String.valueOf(failure.getMessage());
        return message.substring(message.lastIndexOf(": ") + 1).strip();
    }
}
