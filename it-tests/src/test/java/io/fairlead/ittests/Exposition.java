package io.fairlead.ittests;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Metrics as Prometheus reads them, each sample by its name and its sorted labels. */
final class Exposition {
    private static final Pattern SAMPLE = Pattern.compile("(\\w+)(?:\\{(.*)})? (\\S+).*");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

    private final Map<String, Map<Map<String, String>, Double>> samples = new TreeMap<>();

    Exposition(String text) {
        text.lines().filter(line -> !line.startsWith("#")).forEach(this::add);
    }

    /** The names of all samples. */
    Set<String> names() {
        return new TreeSet<>(samples.keySet());
    }

    /** The sum of the samples of a name that have these labels, each {@code name=value}; 0 if there is none. */
    double sum(String name, String... labels) {
        Map<String, String> wanted = Arrays.stream(labels)
                .map(label -> label.split("=", 2))
                .collect(Collectors.toMap(label -> label[0], label -> label[1]));
        return samples.getOrDefault(name, Map.of()).entrySet().stream()
                .filter(sample -> sample.getKey().entrySet().containsAll(wanted.entrySet()))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    private void add(String line) {
        Matcher sample = SAMPLE.matcher(line);
        if (!sample.matches()) {
            throw new IllegalArgumentException("no sample: " + line);
        }
        Map<String, String> labels = new TreeMap<>();
        if (sample.group(2) != null) {
            LABEL.matcher(sample.group(2)).results().forEach(label -> labels.put(label.group(1), label.group(2)));
        }
        samples.computeIfAbsent(sample.group(1), _ -> new HashMap<>()).put(labels, Double.valueOf(sample.group(3)));
    }
}
