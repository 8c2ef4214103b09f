package io.fairlead.benchmarks.floor;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.config.ConfigurationReader;
import io.fairlead.config.LimitSettings;
import io.fairlead.gateway.limits.DirectMemory;
import io.fairlead.gateway.listen.ClientStream;
import io.fairlead.gateway.listen.ConnectionMeter;
import io.fairlead.gateway.listen.Listener;
import io.fairlead.gateway.listen.Peer;
import io.fairlead.gateway.listen.Received;
import io.fairlead.gateway.listen.RequestHandler;
import io.fairlead.gateway.listen.TlsMaterial;
import io.fairlead.gateway.logging.Logging;
import io.fairlead.http.TlsProvider;
import io.fairlead.http.Transport;
import io.fairlead.model.Status;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamClient;
import io.fairlead.net.UpstreamLimits;
import io.fairlead.net.UpstreamSpec;
import io.fairlead.net.address.AddressPolicy;
import io.netty.channel.EventLoopGroup;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The gateway's listener and its client of API servers, with their default limits, and nothing between them: each request
 * of a port goes to the one server behind that port. It does not know callers, rights, types, impersonation or metrics.
 */
public final class FloorServer {
    /** Each load ends by leaving with its requests under way. */
    private static final Map<String, String> FLAGS = Map.of("limits.streamResetsMax", "1000000");

    private FloorServer() {}

    /**
     * Serves until the process is ended. Takes a PEM certificate, which the servers behind it have too, its key, the
     * token for those servers, and then any number of pairs of a port and the URL of the server behind it.
     */
    public static void main(String[] arguments) throws Exception {
        DirectMemory.limit();
        Logging.quiet();
        Thread.ofPlatform().name("tls-loading").daemon().start(TlsProvider::preferred);
        String certificate = Files.readString(Path.of(arguments[0]));
        TlsMaterial tls = new TlsMaterial(certificate, Files.readString(Path.of(arguments[1])), null, null);
        LimitSettings limits = ConfigurationReader.read(null, Map.of(), FLAGS).limits();
        Transport transport = Transport.preferred();
        EventLoopGroup loops = transport.newGroup(Runtime.getRuntime().availableProcessors(), "io");
        UpstreamClient upstreams = new UpstreamClient(
                loops, transport, new AddressPolicy(List.of(), List.of(), true, List::of), UpstreamLimits.defaults());
        for (int i = 3; i < arguments.length; i += 2) {
            UpstreamSpec spec = new UpstreamSpec(
                    List.of(URI.create(arguments[i + 1])), certificate, null, null, null, arguments[2]);
            new Listener(transport, loops, tls, limits, new Direct(upstreams.open(spec)), ConnectionMeter.NONE)
                    .start(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[i])));
        }
        new PrintWriter(new FileOutputStream(FileDescriptor.out), true, UTF_8).println("It is ready");
        Thread.currentThread().join();
    }

    /** Sends each request to one server. */
    private record Direct(Upstream upstream) implements RequestHandler {
        @Override
        public void handle(Received request, ClientStream client) {
            DirectForwarding.begin(request, client, upstream);
        }

        @Override
        public void refused(Peer peer, Status status) {}
    }
}
