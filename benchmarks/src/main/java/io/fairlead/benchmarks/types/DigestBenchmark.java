package io.fairlead.benchmarks.types;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.schema.digest.DefinitionDigests;
import io.fairlead.schema.json.Json;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** From the JSON text of a definition to its digests, as they are worked out once for each distinct text. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Benchmark)
public class DigestBenchmark {
    /** At least the 60 kB of a large definition. */
    static final int LENGTH_MIN = 60_000;

    private static final int OBJECTS = 45;
    private static final int FIELDS = 10;

    private byte[] spec = {};

    @Setup
    public void write() {
        spec = definition();
    }

    @Benchmark
    public DefinitionDigests digests() {
        return DefinitionDigests.ofSpec(Json.readExact(spec).root());
    }

    /** A {@code spec} with objects in objects, words, bounds, defaults and rules, as generators write them. */
    static byte[] definition() {
        StringBuilder objects = new StringBuilder();
        for (int object = 0; object < OBJECTS; object++) {
            objects.append(object == 0 ? "" : ",").append(object(object));
        }
        return ("{\"group\":\"example.com\",\"scope\":\"Namespaced\",\"names\":{\"kind\":\"Large\",\"plural\":\"larges\"},"
            + "\"versions\":[{\"name\":\"v1\",\"served\":true,\"storage\":true,\"subresources\":{\"status\":{}},"
            + "\"schema\":{\"openAPIV3Schema\":{\"type\":\"object\",\"properties\":{\"spec\":{\"type\":\"object\","
            + "\"properties\":{" + objects + "}}}}}}]}")
                .getBytes(UTF_8);
    }

    private static String object(int object) {
        StringBuilder fields = new StringBuilder();
        for (int field = 0; field < FIELDS; field++) {
            fields.append(field == 0 ? "" : ",")
                    .append("\"field" + field + "\":{\"description\":\"What field " + field
                            + " is for, in as many words as people"
                            + " use.\",\"type\":\"integer\",\"format\":\"int64\",\"minimum\":"
                            + field + ",\"default\":" + object + "}");
        }
        return "\"part" + object + "\":{\"description\":\"One part of a large"
                                 + " thing.\",\"type\":\"object\",\"required\":[\"field1\",\"field0\"],\"x-kubernetes-validations\":[{\"rule\":\"self.field0"
                                 + " <= self.field1\",\"message\":\"must be"
                                 + " ordered\"}],\"properties\":{" + fields + "}}";
    }
}
