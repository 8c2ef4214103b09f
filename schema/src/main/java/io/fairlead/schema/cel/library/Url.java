package io.fairlead.schema.cel.library;

import io.fairlead.schema.cel.value.Opaque;
import java.util.Locale;

/**
 * A URL that Go's {@code url.ParseRequestURI} accepts, in parts.
 *
 * @param host with its port
 * @param escapedPath as it is written
 */
record Url(String scheme, String host, String escapedPath, String query) implements Opaque {
    static Url of(String text) {
        int colon = text.indexOf(':');
        boolean absolute = colon > 0 && !text.startsWith("/");
        String rest = absolute ? text.substring(colon + 1) : text;
        int fragment = rest.indexOf('#');
        rest = fragment < 0 ? rest : rest.substring(0, fragment);
        int question = rest.indexOf('?');
        String query = question < 0 ? "" : rest.substring(question + 1);
        String path = question < 0 ? rest : rest.substring(0, question);
        String host = "";
        if (path.startsWith("//")) {
            int slash = path.indexOf('/', 2);
            String authority = slash < 0 ? path.substring(2) : path.substring(2, slash);
            host = authority.substring(authority.lastIndexOf('@') + 1);
            path = slash < 0 ? "" : path.substring(slash);
        }
        String scheme = absolute ? text.substring(0, colon).toLowerCase(Locale.ROOT) : "";
        return new Url(scheme, host, path, query);
    }

    String hostname() {
        int port = portAt();
        String name = port < 0 ? host : host.substring(0, port);
        return name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
    }

    String port() {
        return portAt() < 0 ? "" : host.substring(portAt() + 1);
    }

    private int portAt() {
        int colon = host.lastIndexOf(':');
        return colon > host.lastIndexOf(']') ? colon : -1;
    }

    @Override
    public String typeName() {
        return "kubernetes.URL";
    }
}
