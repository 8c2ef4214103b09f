package io.fairlead.schema.cel.library;

import io.fairlead.schema.cel.value.CelError;
import io.fairlead.schema.cel.value.ListValue;
import io.fairlead.schema.cel.value.MapValue;
import io.fairlead.schema.cel.value.Values;
import io.fairlead.schema.cel.value.Work;
import io.fairlead.schema.text.RequestUri;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** URLs (apiserver {@code cel/library/urls.go}, since 1.23). */
final class UrlFunctions {
    /** Of a text that is held against a regular expression of the host and one of escapes. */
    private static final long STEPS_OF_CHARACTER = 4;

    private UrlFunctions() {}

    static void addTo(Registry registry) {
        registry.unary("isURL", String.class, UrlFunctions::isUrl)
                .unary("url", String.class, UrlFunctions::parse)
                .unary("getScheme", Url.class, (url, _) -> url.scheme())
                .unary("getHost", Url.class, (url, _) -> url.host())
                .unary("getHostname", Url.class, (url, _) -> url.hostname())
                .unary("getPort", Url.class, (url, _) -> url.port())
                .unary("getEscapedPath", Url.class, (url, _) -> url.escapedPath())
                .unary("getQuery", Url.class, UrlFunctions::query);
    }

    private static Object parse(String text, Work work) {
        work.makeText(text.length());
        return isUrl(text, work)
                ? Url.of(text)
                : new CelError("URL parse error during conversion from string: parse " + Values.quoted(text)
                        + ": invalid URI for request");
    }

    private static boolean isUrl(String text, Work work) {
        work.spend(1 + STEPS_OF_CHARACTER * text.length());
        return RequestUri.isValid(text);
    }

    private static Object query(Url url, Work work) {
        Map<Object, Object> byName = new LinkedHashMap<>();
        Map<String, List<String>> values = new LinkedHashMap<>();
        work.makeText(url.query().length());
        work.makeElements(url.query().chars().filter(c -> c == '&').count() + 1);
        for (String pair : url.query().split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            if (!pair.isEmpty() && !pair.contains(";")) {
                values.computeIfAbsent(decoded(name), _ -> new ArrayList<>())
                        .add(equals < 0 ? "" : decoded(pair.substring(equals + 1)));
            }
        }
        values.forEach((name, all) -> byName.put(name, ListValue.of(all)));
        return MapValue.of(byName);
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }
}
