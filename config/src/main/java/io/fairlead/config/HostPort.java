package io.fairlead.config;

/**
 * A literal address or host name with a port: {@code 127.0.0.1:9464}, {@code [::1]:9464}.
 *
 * @param host the host, without brackets
 * @param port the port, 0 for any free one
 */
public record HostPort(String host, int port) {
    static HostPort parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon <= 0) {
            throw new IllegalArgumentException("no port");
        }
        String host = text.substring(0, colon);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        if (!bracketed && host.indexOf(':') >= 0) {
            throw new IllegalArgumentException("an IPv6 address stands in brackets");
        }
        int port = Integer.parseInt(text.substring(colon + 1));
        if (port < 0 || port > 65535) {
            throw new IllegalArgumentException("no port");
        }
        return new HostPort(bracketed ? host.substring(1, host.length() - 1) : host, port);
    }
}
