package io.fairlead.http;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import java.util.Map;

/** Finds the TLS handler between a connection and its peer. */
public final class PeerTls {
    private PeerTls() {}

    /**
     * The last one in the pipeline: of two, the first is for the proxy.
     *
     * @throws IllegalStateException if there is none
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
