package io.fairlead.benchmarks.proxy;

import io.fairlead.benchmarks.Report;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/** One figure of several contestants, taken in turns, the order reversed every other round. */
final class Rounds {
    /** Measures a contestant once. */
    @FunctionalInterface
    interface Measurement {
        double of(Contestant contestant) throws Exception;
    }

    private final Map<Contestant, List<Double>> figures = new LinkedHashMap<>();

    static Rounds take(int rounds, List<Contestant> contestants, Measurement measurement) throws Exception {
        Rounds taken = new Rounds();
        for (int round = 0; round < rounds; round++) {
            for (Contestant contestant : round % 2 == 0 ? contestants : contestants.reversed()) {
                taken.figures
                        .computeIfAbsent(contestant, _ -> new ArrayList<>())
                        .add(measurement.of(contestant));
            }
        }
        return taken;
    }

    List<Contestant> contestants() {
        return List.copyOf(figures.keySet());
    }

    List<Double> of(Contestant contestant) {
        return figures.getOrDefault(contestant, List.of());
    }

    double median(Contestant contestant) {
        return median(of(contestant));
    }

    /** Of each round, what one contestant needs of another. */
    List<Double> ratios(Contestant contestant, Contestant yardstick) {
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < of(contestant).size(); round++) {
            ratios.add(of(contestant).get(round) / of(yardstick).get(round));
        }
        return ratios;
    }

    static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted(Comparator.naturalOrder()).toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    /** The median and the range. */
    static String inWords(List<Double> values) {
        DoubleStream numbers = values.stream().mapToDouble(Double::doubleValue);
        var range = numbers.summaryStatistics();
        return Report.figure(median(values)) + " (" + Report.figure(range.getMin()) + "-"
                + Report.figure(range.getMax()) + ")";
    }
}
