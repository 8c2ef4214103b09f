package io.fairlead.credentials.kubeconfig;

import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.representer.StandardRepresenter;

/**
 * Quotes texts that YAML 1.1, which kubectl reads, would parse as another type: {@code no}, {@code 0x1f},
 * {@code 2026-01-31}.
 */
public final class Quoting extends StandardRepresenter {
    private static final Set<String> WORDS =
            Set.of("", "y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", "=", "<<");
    private static final Pattern NUMBER =
            Pattern.compile("[-+.0-9][-+.:_xXoObBeEa-fA-F0-9]*|[-+]?\\.inf|\\.nan", Pattern.CASE_INSENSITIVE);
    private static final Pattern TIME = Pattern.compile("[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt \t].*)?");

    public Quoting(DumpSettings settings) {
        super(settings);
        var plainly = Objects.requireNonNull(representers.get(String.class));
        representers.put(
                String.class,
                text -> isAmbiguous((String) text)
                        ? representScalar(Tag.STR, (String) text, ScalarStyle.DOUBLE_QUOTED)
                        : plainly.representData(text));
    }

    private static boolean isAmbiguous(String text) {
        return WORDS.contains(text.toLowerCase(Locale.ROOT))
                || NUMBER.matcher(text).matches()
                || TIME.matcher(text).matches();
    }
}
