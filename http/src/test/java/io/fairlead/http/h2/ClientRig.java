package io.fairlead.http.h2;

import io.fairlead.http.Fields;

/** A client's session with a scripted server. */
final class ClientRig extends PeerScript<ClientSession> implements ClientOwner {
    ClientRig() {
        start(new ClientSession(LIMITS, this, this, this::now));
    }

    /** A rig whose server has sent its settings. */
    static ClientRig settled() {
        ClientRig rig = new ClientRig();
        rig.frame(Frame.SETTINGS, 0, 0, "");
        rig.events.clear();
        return rig;
    }

    /** Sends a request without a body. */
    ScriptedStream get(String path) {
        return request("GET", path, true);
    }

    ScriptedStream request(String method, String path, boolean last) {
        ScriptedStream stream = stream();
        session().request(stream, new RequestLine(method, "api.example", path), Fields.EMPTY, Fields.EMPTY, last);
        flush();
        return stream;
    }

    void answer(int stream, boolean last, String... namesAndValues) {
        int flags = Frame.END_HEADERS | (last ? Frame.END_STREAM : 0);
        frame(Frame.HEADERS, flags, stream, block(namesAndValues));
    }

    @Override
    public void settled(long streamsMax) {
        events.add("< settled" + (streamsMax == Long.MAX_VALUE ? "" : " " + streamsMax));
    }

    @Override
    public void goneAway() {
        events.add("< gone away");
    }
}
