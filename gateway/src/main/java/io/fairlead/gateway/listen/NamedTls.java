package io.fairlead.gateway.listen;

import io.fairlead.model.Repetitions;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandler;
import io.netty.handler.ssl.SniHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server names with certificates of their own. Immutable.
 *
 * <p>Where there is none, handshakes begin as if there were no such names.
 */
final class NamedTls {
    static final NamedTls NONE = new NamedTls(Map.of(), Map.of());

    private static final Logger LOG = LoggerFactory.getLogger(NamedTls.class);
    private static final Repetitions TOLD = new Repetitions();

    /** One record of TLS (RFC 8446 section 5.1); what clients send first takes an eighth of it. */
    private static final int CLIENT_HELLO_BYTES_MAX = 16 * 1024;

    private final Map<String, SslContext> byName;
    private final Map<TlsMaterial, SslContext> byMaterial;

    private NamedTls(Map<String, SslContext> byName, Map<TlsMaterial, SslContext> byMaterial) {
        this.byName = Map.copyOf(byName);
        this.byMaterial = Map.copyOf(byMaterial);
    }

    /** Other names; contexts of certificates that stay are kept. One that cannot be used is logged and left out. */
    NamedTls changedTo(Map<String, TlsMaterial> certificates) {
        Map<String, SslContext> names = new HashMap<>();
        Map<TlsMaterial, SslContext> materials = new HashMap<>();
        certificates.forEach((name, material) -> {
            SslContext known = materials.getOrDefault(material, byMaterial.get(material));
            try {
                SslContext context = known == null ? ServingTls.ofAnyClientCa(material) : known;
                materials.put(material, context);
                names.put(name, context);
            } catch (IllegalArgumentException e) {
                TOLD.next(name)
                        .ifPresent(leftOut -> LOG.atError()
                                .setCause(e)
                                .addKeyValue("serverName", name)
                                .addKeyValue("leftOut", leftOut)
                                .log("Cannot use the certificate of a server name; it gets the ordinary one"));
            }
        });
        return new NamedTls(names, materials);
    }

    /** What begins TLS on a connection: with the certificate of the name that the client asks for, or the ordinary one. */
    ChannelHandler handshake(SslContext ordinary, ByteBufAllocator buffers, Duration timeout) {
        if (!byName.isEmpty()) {
            return new SniHandler(
                    name -> name == null ? ordinary : byName.getOrDefault(name, ordinary),
                    CLIENT_HELLO_BYTES_MAX,
                    timeout.toMillis());
        }
        SslHandler handshake = ordinary.newHandler(buffers);
        handshake.setHandshakeTimeoutMillis(timeout.toMillis());
        return handshake;
    }
}
