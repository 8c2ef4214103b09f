package io.fairlead.gateway.kubeconfig;

import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.representer.StandardRepresenter;

/** Writes texts so that YAML 1.1, which kubectl reads, takes them for texts too: {@code no} and {@code 0x1f} are none there. */
final class Quoting extends StandardRepresenter {
    private static final Set<String> WORDS =
            Set.of("", "y", "n", "yes", "no", "on", "off", "true", "false", "null", "~");

    Quoting(DumpSettings settings) {
        super(settings);
        var plainly = Objects.requireNonNull(representers.get(String.class));
        representers.put(
                String.class,
                text -> isAmbiguous((String) text)
                        ? representScalar(Tag.STR, (String) text, ScalarStyle.DOUBLE_QUOTED)
                        : plainly.representData(text));
    }

    private static boolean isAmbiguous(String text) {
        return WORDS.contains(text.toLowerCase(Locale.ROOT)) || text.matches("[-+.0-9][-+.:_xXoObBeEa-fA-F0-9]*");
    }
}
