package io.fairlead.net;

import io.fairlead.http.RawConnection;
import io.netty.handler.codec.http.HttpHeaders;

/** Hears what becomes of an upgrade: the switch, or an answer as {@link ResponseReceiver} hears it, or a failure. */
public interface UpgradeReceiver extends ResponseReceiver {
    /**
     * The server answered 101; nothing else is heard. The connection is the receiver's from now on, on the same event
     * loop, and must be given a listener before this returns.
     *
     * @param protocol the protocol that was chosen, one of those asked for
     * @param headers the answer's end-to-end headers
     */
    void onSwitched(String protocol, HttpHeaders headers, RawConnection connection);
}
