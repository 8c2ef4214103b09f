package io.fairlead.gateway.listen;

import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** Makes heads of requests without a connection, for tests of single stages. */
public final class TestHead {
    private TestHead() {}

    /** A GET of a client with a token. */
    public static Received get(String target, String token) {
        Peer peer = new Peer(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), null, List.of());
        MutableFields headers = new MutableFields();
        headers.set("Authorization", "Bearer " + token);
        return new Received(peer, HttpMethod.GET, target, headers, 0, "");
    }
}
