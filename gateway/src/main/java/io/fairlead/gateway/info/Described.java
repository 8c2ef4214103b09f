package io.fairlead.gateway.info;

import io.fairlead.gateway.listen.Received;
import io.fairlead.gateway.publication.Arrival;
import io.fairlead.gateway.select.Selected;
import io.fairlead.gateway.select.Target;
import io.fairlead.http.HttpMethod;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.RequestInfoParser;

/** A request with its request info; parsed from the same path and query that are served or forwarded. */
public final class Described {
    private final Selected selected;
    private final RequestInfo info;
    private final boolean isProxied;

    private Described(Selected selected, RequestInfo info) {
        this.selected = selected;
        this.info = info;
        this.isProxied = info.verb().equals("proxy") || info.subresource().equals("proxy");
    }

    /**
     * Reads the request info.
     *
     * @throws io.fairlead.model.StatusException with 400 for a path that could be read in two ways
     */
    public static Described of(Selected selected) {
        Target target = selected.target();
        String method = selected.received().method().name();
        return new Described(selected, RequestInfoParser.parse(method, target.path(), target.query()));
    }

    public Received received() {
        return selected.received();
    }

    public Target target() {
        return selected.target();
    }

    /** How it came in. */
    public Arrival arrival() {
        return selected.arrival();
    }

    public RequestInfo info() {
        return info;
    }

    /** Whether it is long-running (kube-apiserver's long-running set). */
    public boolean isLongRunning() {
        return info.verb().equals("watch")
                || info.verb().equals("proxy")
                || offersUpgrade()
                || switch (info.subresource()) {
                    case "attach", "exec", "log", "portforward", "proxy" -> true;
                    default -> false;
                };
    }

    /** Whether its reader may pause without a timeout: logs, and the streams of exec, attach, port-forward, proxy. */
    public boolean mayPause() {
        return isLongRunning() && !info.verb().equals("watch");
    }

    /** Whether a workload gives the answer: the legacy verb {@code proxy}, or the subresource. */
    public boolean isProxied() {
        return isProxied;
    }

    /**
     * Whether the connection may be upgraded: the streams of pods ({@code exec}), workloads behind {@code proxy}, and
     * other subresources. A watch's WebSocket is Fairlead's own, see {@link #isWatchByWebSocket}; and an upgrade to
     * HTTP/2 gets an ordinary answer, since ALPN negotiates that.
     */
    public boolean offersUpgrade() {
        String protocols = received().upgrade();
        return !protocols.isEmpty()
                && !protocols.equalsIgnoreCase("h2c")
                && !info.verb().equals("watch")
                && (info.verb().equals("proxy") || !info.subresource().isEmpty());
    }

    /** Whether it is a watch whose client requests its events as messages of a WebSocket. */
    public boolean isWatchByWebSocket() {
        return info.verb().equals("watch")
                && received().method().equals(HttpMethod.GET)
                && received().upgrade().equalsIgnoreCase("websocket");
    }

    /** Whether it streams to and from a pod: kubelet's {@code exec}, {@code attach} and {@code portforward}. */
    public boolean isPodStream() {
        return info.group().isEmpty()
                && info.resource().equals("pods")
                && switch (info.subresource()) {
                    case "attach", "exec", "portforward" -> true;
                    default -> false;
                };
    }
}
