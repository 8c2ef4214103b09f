package io.fairlead.http.h2;

import java.util.ArrayList;
import java.util.List;

/** A server's session with a scripted client. */
final class Rig extends PeerScript<ServerSession> implements ServerOwner {
    Rig() {
        this(LIMITS);
    }

    Rig(Http2Limits limits) {
        start(new ServerSession(limits, this, this, this::now));
        events.clear();
    }

    /** A rig whose client has sent its preface, and had it acknowledged. */
    static Rig settled() {
        Rig rig = new Rig();
        rig.bytes(Frame.PREFACE);
        rig.frame(Frame.SETTINGS, 0, 0, "");
        rig.events.clear();
        return rig;
    }

    @Override
    public StreamEnd opened() {
        return stream();
    }

    void request(int stream, boolean last, String... namesAndValues) {
        int flags = Frame.END_HEADERS | (last ? Frame.END_STREAM : 0);
        frame(Frame.HEADERS, flags, stream, head(namesAndValues));
    }

    /** The header block of a valid request, with further fields. */
    byte[] head(String... namesAndValues) {
        List<String> all = new ArrayList<>(List.of(":method", "GET", ":scheme", "https", ":path", "/"));
        all.addAll(List.of(namesAndValues));
        return block(all.toArray(String[]::new));
    }
}
