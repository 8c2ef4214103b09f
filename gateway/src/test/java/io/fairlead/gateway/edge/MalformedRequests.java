package io.fairlead.gateway.edge;

import java.util.List;

/** Requests over HTTP/1.1 that are refused before they are read, or beyond limits, with credentials where these may stand and where not. */
final class MalformedRequests {
    private MalformedRequests() {}

    /** @param accepted a token that is accepted, other than the first one */
    static List<String> with(String token, String accepted) {
        String begin = "GET /clusters/prod/api/v1/pods HTTP/1.1\r\nHost: localhost\r\n";
        return List.of(
                begin + "Authorization : Bearer " + token + "\r\n\r\n",
                begin + "Authorization: Bearer\r\n " + token + "\r\n\r\n",
                begin + "Authorization: Bearer " + token + "\0\r\n\r\n",
                begin + "Authorization: Bearer " + token + "\u0001\r\n\r\n",
                begin + "Authorization: Bearer \u00ff" + token + "\r\n\r\n",
                begin + "Authorization Bearer " + token + "\r\n\r\n",
                begin + token + ": x\r\nAuthorization: Bearer " + accepted + "\r\nImpersonate_User: x\r\n\r\n",
                begin + "Authorization: Bearer " + token
                        + "\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                begin + "Authorization: Bearer " + token + "x".repeat(70_000) + "\r\n\r\n",
                begin + ("Authorization: Bearer " + token + "\r\n").repeat(300) + "\r\n",
                begin + "Authorization: Bearer " + accepted + "\r\nX-Kubernetes-Cluster: " + "Dev" + "\r\n\r\n",
                begin + "Authorization: Bearer " + token + "\r\nHost: other\r\n\r\n",
                "GET /api?access_token=" + token + "y".repeat(9_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET /api?access_token=" + token + "%zz HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET /api?access_token=" + token + "\\ HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET https://jane:" + token + "@localhost/api HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET /api HTTP/1.1\r\nHost: jane:" + token + "@localhost\r\n\r\n",
                "CONNECT prod:443 HTTP/1.1\r\nHost: localhost\r\nProxy-Authorization: Basic " + token + "\r\n\r\n",
                "TRACE /api HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token + "\r\n\r\n",
                "GET /api HTTP/9.9\r\nHost: localhost\r\nAuthorization: Bearer " + token + "\r\n\r\n",
                "POST " + MarkedTraffic.MAPS + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + accepted
                        + "\r\nContent-Length: 99999999\r\n\r\n",
                "POST /clusters/prod/api/v1/pods HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + accepted
                        + "\r\nContent-Length: 999999999999\r\n\r\n");
    }
}
