package io.fairlead.http;

import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.internal.tcnative.SSL;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * Detects whether the peer of a TLS connection has ended its direction, and keeps the engine from ending the other one.
 *
 * <p>TLS 1.3 lets each direction end separately (RFC 8446 section 6.1), and BoringSSL does; but Netty's engine over it
 * answers the peer's close_notify with its own at once and then encrypts nothing more. It does so once for each
 * connection, and remembers that in a private field, which is set here in advance. Where that is impossible, or with
 * the JDK's engine, the peer's end is reported by the handler's {@code SslCloseCompletionEvent} instead.
 */
public final class PeerEnd {
    private static final @Nullable VarHandle ANSWERED = answered();

    private final @Nullable ReferenceCountedOpenSslEngine engine;

    private PeerEnd(@Nullable ReferenceCountedOpenSslEngine engine) {
        this.engine = engine;
    }

    /** From now on; call it on the connection's event loop. */
    public static PeerEnd of(SSLEngine engine) {
        if (ANSWERED == null || !(engine instanceof ReferenceCountedOpenSslEngine boringSsl)) {
            return new PeerEnd(null);
        }
        synchronized (boringSsl) {
            ANSWERED.set(boringSsl, true);
        }
        return new PeerEnd(boringSsl);
    }

    /**
     * Whether the handler's event means the peer's end. Over BoringSSL it does not: there it also follows this side's own.
     */
    boolean isToldByEvent() {
        return engine == null;
    }

    /** Whether the peer's close_notify arrived, where no event reports it. */
    public boolean isSaid() {
        ReferenceCountedOpenSslEngine boringSsl = engine;
        if (boringSsl == null) {
            return false;
        }
        synchronized (boringSsl) {
            long ssl = boringSsl.sslPointer();
            return ssl != 0 && (SSL.getShutdown(ssl) & SSL.SSL_RECEIVED_SHUTDOWN) != 0;
        }
    }

    private static @Nullable VarHandle answered() {
        try {
            return MethodHandles.privateLookupIn(ReferenceCountedOpenSslEngine.class, MethodHandles.lookup())
                    .findVarHandle(ReferenceCountedOpenSslEngine.class, "receivedShutdown", boolean.class);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }
}
