package io.fairlead.http;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import java.util.Map;

/** Finds the TLS that a connection speaks with its peer. */
public final class PeerTls {
    private PeerTls() {}

    /**
     * The last in the pipeline: of two, the first is spoken with the proxy on the way.
     *
     * @throws IllegalStateException if none is spoken
     */
    public static SslHandler of(ChannelPipeline pipeline) {
        SslHandler last = null;
        for (Map.Entry<String, ChannelHandler> entry : pipeline) {
            if (entry.getValue() instanceof SslHandler tls) {
                last = tls;
            }
        }
        if (last == null) {
            throw new IllegalStateException("no TLS is spoken");
        }
        return last;
    }
}
