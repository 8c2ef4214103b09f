package io.fairlead.hosted.representation;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.model.Status;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An {@code Accept} header: its clauses by weight, then from the specific to the general, then by position (apiserver
 * {@code handlers/negotiation}).
 *
 * @param ranges the clauses, best first
 */
public record Accept(List<MediaRange> ranges) {
    /** JSON, the form of every answer. */
    public static final String JSON = "application/json";

    /** YAML, for whole answers. */
    public static final String YAML = "application/yaml";

    /** Protobuf in the envelope of Kubernetes, for objects of kinds that Go knows as structs. */
    public static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

    private static final String STREAMS =
            ", application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";
    private static final int CLAUSES_MAX = 64;

    public Accept {
        ranges = List.copyOf(ranges);
    }

    /**
     * Reads a header's value; an empty one accepts everything, invalid media ranges are ignored. A weight of 0 is the least one: it
     * excludes nothing, as in goautoneg and go-restful.
     */
    public static Accept parse(String header) {
        if (header.isBlank()) {
            return new Accept(List.of(MediaRange.ANY));
        }
        List<MediaRange> ranges = new ArrayList<>();
        for (String clause : header.split(",", CLAUSES_MAX + 1)) {
            MediaRange range = MediaRange.parse(clause);
            if (range != null && ranges.size() < CLAUSES_MAX) {
                ranges.add(range);
            }
        }
        ranges.sort(Comparator.comparingDouble(MediaRange::quality)
                .thenComparingInt(MediaRange::specificity)
                .reversed());
        return new Accept(ranges);
    }

    /**
     * The first clause that can be satisfied, with the media type that satisfies it.
     *
     * @param offered the available media types, the preferred one first
     * @param restriction which clauses the endpoint can satisfy, apart from the media type
     * @return null if no clause can be satisfied
     */
    public @Nullable Choice choose(List<String> offered, Restriction restriction) {
        for (MediaRange range : ranges) {
            for (String mediaType : offered) {
                if (range.covers(mediaType) && restriction.allows(mediaType, range)) {
                    return new Choice(mediaType, range);
                }
            }
        }
        return null;
    }

    /** The refusal of a header that no media type satisfies. */
    public static Status notAcceptable(List<String> offered) {
        return Status.of(
                406, "NotAcceptable", "only the following media types are accepted: " + String.join(", ", offered));
    }

    /**
     * The same of a built-in kind, in the words of go-restful, which looks at media types alone, for kube-apiserver: a media type
     * that is offered is refused by apiserver.
     */
    static Status notServed(ApiRequest request, List<String> offered) {
        return parse(request.header("accept")).names(offered)
                ? notAcceptable(offered)
                : new Status(
                        406,
                        "NotAcceptable",
                        "406: Not Acceptable\n\nAvailable representations: " + String.join(", ", offered)
                                + (isOfMany(request) ? STREAMS : ""),
                        new Status.Details("", "", "", "", List.of(), 0));
    }

    /** Whether it has one of the media types itself or takes any: go-restful knows no other wildcards. */
    boolean names(List<String> offered) {
        return ranges.stream()
                .anyMatch(range -> range.specificity() == 0
                        ? range.subtype().equals("*")
                        : offered.contains(range.type() + "/" + range.subtype()));
    }

    /** Whether a path is one that kube-apiserver watches, too. */
    private static boolean isOfMany(ApiRequest request) {
        return request.info().verb().equals("list") || request.info().verb().equals("watch");
    }

    /** Which clauses an endpoint can satisfy, apart from the media type. */
    @FunctionalInterface
    public interface Restriction {
        boolean allows(String mediaType, MediaRange range);
    }

    /**
     * The negotiated form.
     *
     * @param mediaType the media type of the answer
     * @param range the clause that selected it
     */
    public record Choice(String mediaType, MediaRange range) {}
}
