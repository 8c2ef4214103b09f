package io.fairlead.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whatever is let through reads alike raw and decoded; whatever is not is refused with a 400. */
class RequestInfoParserRandomTest {
    private static final String[] WORDS = {
        "api",
        "apis",
        "v1",
        "apps",
        "namespaces",
        "a",
        "pods",
        "x",
        "status",
        "finalize",
        "proxy",
        "watch",
        "exec",
        "log",
        "example.com",
        "foos",
        "",
        ".",
        "..",
        "a:b",
        "clusters"
    };
    private static final String[] TWISTS = {
        "%", "%2F", "%2f", "%25", "%2e", "%2E%2e", "%64", "%3A", "%20", "%00", "%ff", "%C3%A9", "%C3", ";", ";v=1",
        "\\", "%5c", "\u0000", "\u007f", "\u00e9", "#", " ", "%4", "%zz", "//", "/", "/../", "/.", "+", "~"
    };
    private static final String[] METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "get"};

    @Test
    void parse_ofRandomPaths_readsAlikeRawAndDecoded() {
        long seed = Long.getLong("fuzz.seed", 7);
        Random random = new Random(seed);
        int accepted = 0;
        for (int i = 0; i < 200_000; i++) {
            String path = randomPath(random);
            RequestInfo info = parseOrNull(METHODS[random.nextInt(METHODS.length)], path);
            if (info != null) {
                accepted++;
                assertThat(DecodedReading.of(info))
                        .as("seed %d, path %s", seed, path)
                        .isEqualTo(expected(path, info));
            }
        }
        assertThat(accepted).as("seed %d: paths that were let through", seed).isBetween(20_000, 180_000);
    }

    /** Behind a proxy subresource the bytes are opaque, so that a bad escape there must not disturb the comparison. */
    private static DecodedReading expected(String path, RequestInfo info) {
        String readable = info.subresource().equals("proxy") && !info.verb().equals("watch")
                ? path.substring(0, path.length() - info.remainder().length())
                : path;
        return DecodedReading.of(readable);
    }

    private static @Nullable RequestInfo parseOrNull(String method, String path) {
        try {
            return RequestInfoParser.parse(method, path, "");
        } catch (StatusException e) {
            assertThat(e.status().code()).isEqualTo(400);
            return null;
        }
    }

    private static String randomPath(Random random) {
        StringBuilder path = new StringBuilder();
        int segments = random.nextInt(10);
        for (int i = 0; i < segments; i++) {
            path.append('/').append(i == 0 && random.nextBoolean() ? "api" : WORDS[random.nextInt(WORDS.length)]);
        }
        for (int i = random.nextInt(6) - 3; i > 0; i--) {
            path.insert(random.nextInt(path.length() + 1), TWISTS[random.nextInt(TWISTS.length)]);
        }
        return path.toString();
    }
}
