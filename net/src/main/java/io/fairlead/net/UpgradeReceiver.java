package io.fairlead.net;

import io.fairlead.http.MutableFields;
import io.fairlead.http.RawConnection;

/** Receives the result of an upgrade: the switch, or an answer as for {@link ResponseReceiver}, or a failure. */
public interface UpgradeReceiver extends ResponseReceiver {
    /**
     * The server answered 101; no further callbacks. The receiver owns the connection from now on, on the same event
     * loop, and must set its listener before this returns.
     *
     * @param protocol the chosen one of the offered protocols
     * @param headers the answer's end-to-end headers
     */
    void onSwitched(String protocol, MutableFields headers, RawConnection connection);
}
