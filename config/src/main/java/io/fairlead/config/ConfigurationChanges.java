package io.fairlead.config;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** By which keys two configurations differ. */
public final class ConfigurationChanges {
    private ConfigurationChanges() {}

    /** The paths of the keys, in the order of the reference. */
    public static List<String> between(Configuration before, Configuration after) {
        return between(before, after, "");
    }

    private static List<String> between(Record before, Record after, String prefix) {
        List<String> changed = new ArrayList<>();
        for (RecordComponent component : before.getClass().getRecordComponents()) {
            String path = prefix + component.getName();
            try {
                Object was = component.getAccessor().invoke(before);
                Object is = component.getAccessor().invoke(after);
                if (component.getAnnotation(Setting.class) == null) {
                    changed.addAll(between((Record) was, (Record) is, path + "."));
                } else if (!Objects.equals(was, is)) {
                    changed.add(path);
                }
            } catch (ReflectiveOperationException broken) {
                throw new IllegalStateException(broken);
            }
        }
        return changed;
    }
}
