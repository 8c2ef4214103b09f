package io.fairlead.hosted.table;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.Representation;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.accept.Accept;
import io.fairlead.hosted.accept.MediaRange;
import io.fairlead.hosted.accept.MediaRange.Transformation;
import io.fairlead.hosted.table.TableForm.IncludeObject;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the form that a request's {@code Accept} asks for (apiserver {@code handlers/response.go}).
 *
 * <p>Whole answers are JSON or YAML, watches JSON. Tables and PartialObjectMetadata exist in meta.k8s.io/v1 and v1beta1.
 */
public final class Representations {
    private static final List<String> WHOLE = List.of(Accept.JSON, Accept.YAML);
    private static final List<String> STREAM = List.of(Accept.JSON);
    private static final List<String> BROWSERS = List.of("curl", "Wget", "Mozilla/5.0");

    private final InstantSource clock;

    /** Ages in Tables are counted by the given clock. */
    public Representations(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * The form of an answer.
     *
     * @param watch whether the answer is a stream of events
     * @throws StatusException 406 if no clause can be satisfied, 400 if {@code includeObject} is unknown
     */
    public Representation of(ApiRequest request, ResourceType type, boolean watch) {
        List<String> offered = watch ? STREAM : WHOLE;
        Accept.Choice choice = Accept.parse(request.header("accept"))
                .choose(offered, (mediaType, range) -> isKnown(range.transformation()) && isStream(range));
        if (choice == null) {
            throw new StatusException(Accept.notAcceptable(offered));
        }
        BodyFormat format = format(choice.mediaType(), request, watch);
        Transformation asked = choice.range().transformation();
        return asked == null
                ? new Whole(format, choice.mediaType())
                : transformed(request, type, watch, format, choice.mediaType(), asked);
    }

    /**
     * The form of an answer that exists in no other form than as it is.
     *
     * @throws StatusException 406 if no clause can be satisfied
     */
    public Representation whole(ApiRequest request) {
        Accept.Choice choice = Accept.parse(request.header("accept"))
                .choose(WHOLE, (mediaType, range) -> range.transformation() == null);
        if (choice == null) {
            throw new StatusException(Accept.notAcceptable(WHOLE));
        }
        return new Whole(format(choice.mediaType(), request, false), choice.mediaType());
    }

    private Representation transformed(
            ApiRequest request,
            ResourceType type,
            boolean watch,
            BodyFormat format,
            String mediaType,
            Transformation asked) {
        if (asked.kind().equals("Table")) {
            return new TableForm(format, mediaType, asked.version(), Columns.of(type), includeObject(request), clock);
        }
        requireMatching(request, type, watch, asked.kind());
        return new MetadataOnly(format, mediaType, asked.version());
    }

    private static boolean isKnown(@Nullable Transformation asked) {
        if (asked == null) {
            return true;
        }
        return asked.group().equals("meta.k8s.io")
                && List.of("v1", "v1beta1").contains(asked.version())
                && List.of("Table", "PartialObjectMetadata", "PartialObjectMetadataList")
                        .contains(asked.kind());
    }

    private static boolean isStream(MediaRange range) {
        String stream = range.parameters().getOrDefault("stream", "");
        return stream.isEmpty() || stream.equals("watch");
    }

    private static void requireMatching(ApiRequest request, ResourceType type, boolean watch, String kind) {
        boolean list = !watch
                && List.of("list", "deletecollection").contains(request.info().verb());
        boolean askedForList = kind.equals("PartialObjectMetadataList");
        if (list != askedForList) {
            String what = list ? "a list (" + type.listKind() + ")" : "not a list (" + type.kind() + ")";
            throw new StatusException(
                    Status.of(406, "NotAcceptable", "you requested " + kind + ", but the requested object is " + what));
        }
    }

    private static IncludeObject includeObject(ApiRequest request) {
        String include = request.parameter("includeObject");
        return switch (include == null ? "" : include) {
            case "None" -> IncludeObject.NONE;
            case "", "Metadata" -> IncludeObject.METADATA;
            case "Object" -> IncludeObject.OBJECT;
            default ->
                throw new StatusException(
                        Status.badRequest("Unable to convert to Table as requested: includeObject: Invalid value: \""
                                + include + "\": must be 'Metadata', 'Object', 'None', or empty"));
        };
    }

    private static BodyFormat format(String mediaType, ApiRequest request, boolean watch) {
        if (mediaType.equals(Accept.YAML)) {
            return BodyFormat.YAML;
        }
        return !watch && isForPeople(request) ? BodyFormat.INDENTED_JSON : BodyFormat.JSON;
    }

    private static boolean isForPeople(ApiRequest request) {
        String pretty = request.parameter("pretty");
        if (pretty != null && !pretty.isEmpty()) {
            return List.of("1", "t", "T", "true", "TRUE", "True").contains(pretty);
        }
        return BROWSERS.stream().anyMatch(request.header("user-agent")::startsWith);
    }
}
