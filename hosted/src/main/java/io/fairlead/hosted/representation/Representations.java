package io.fairlead.hosted.representation;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.meta.StatusObjects;
import io.fairlead.hosted.representation.MediaRange.Transformation;
import io.fairlead.hosted.representation.TableForm.IncludeObject;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.schema.protobuf.Protobuf;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the form that a request's {@code Accept} asks for (apiserver {@code handlers/response.go}).
 *
 * <p>Whole answers are JSON or YAML, watches JSON, and both protobuf if Go knows the kind as a struct. Tables and
 * PartialObjectMetadata exist in meta.k8s.io/v1 and v1beta1; in protobuf, only the latter in v1, but of any kind.
 */
public final class Representations {
    private static final List<String> WHOLE = List.of(Accept.JSON, Accept.YAML, Accept.PROTOBUF);
    private static final List<String> STREAM = List.of(Accept.JSON, Accept.PROTOBUF);
    private static final String PROTOBUF_STREAM = Accept.PROTOBUF + ";stream=watch";
    private static final List<String> BROWSERS = List.of("curl", "Wget", "Mozilla/5.0");

    private static final List<String> READS = List.of("get", "list");

    private final InstantSource clock;

    /** Computes ages in Tables by the given clock. */
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
        if (!type.custom()) {
            requireServed(request, type);
        }
        List<String> offered = watch ? STREAM : WHOLE;
        Accept.Choice choice = Accept.parse(request.header("accept"))
                .choose(
                        offered,
                        (mediaType, range) -> isKnown(range.transformation())
                                && isStream(range)
                                && exists(mediaType, type, range.transformation()));
        if (choice == null) {
            List<String> existing = offered.stream()
                    .filter(mediaType -> exists(mediaType, type, null))
                    .toList();
            throw new StatusException(
                    type.custom() ? Accept.notAcceptable(offered) : Accept.notServed(request, existing));
        }
        BodyFormat format = format(choice.mediaType(), request, watch);
        Transformation asked = choice.range().transformation();
        String contentType = watch && format == BodyFormat.PROTOBUF ? PROTOBUF_STREAM : choice.mediaType();
        return asked == null
                ? new Whole(format, contentType)
                : transformed(request, type, watch, format, contentType, asked);
    }

    /**
     * Refuses a header without a media type of the kind, which is looked at before a list's options: by go-restful for built-in
     * kinds, by apiserver for custom ones.
     *
     * @throws StatusException 406
     */
    public static void requireServed(ApiRequest request, ResourceType type) {
        Accept accept = Accept.parse(request.header("accept"));
        if (type.custom()) {
            if (accept.choose(WHOLE, (mediaType, range) -> true) == null) {
                throw new StatusException(Accept.notAcceptable(WHOLE));
            }
        } else if (!accept.names(WHOLE)) {
            throw new StatusException(Accept.notServed(request, WHOLE));
        }
    }

    /**
     * The form of an answer that cannot be transformed.
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

    /** The form of a failure by the request's header; JSON if no clause can be satisfied. */
    public static ApiResponse failure(ApiRequest request, Status status) {
        return failure(request, status, Map.of());
    }

    /** The same with headers of its own. */
    public static ApiResponse failure(ApiRequest request, Status status, Map<String, List<String>> further) {
        Accept.Choice choice = Accept.parse(request.header("accept")).choose(WHOLE, (mediaType, range) -> true);
        String mediaType = choice == null ? Accept.JSON : choice.mediaType();
        Map<String, List<String>> headers = new HashMap<>(further);
        if (status.retryAfterSeconds() > 0) {
            headers.put("Retry-After", List.of(Integer.toString(status.retryAfterSeconds())));
        }
        byte[] body = format(mediaType, request, false).encode(StatusObjects.failure(status));
        return new ApiResponse.Whole(status.code(), mediaType, headers, body);
    }

    private Representation transformed(
            ApiRequest request,
            ResourceType type,
            boolean watch,
            BodyFormat format,
            String mediaType,
            Transformation asked) {
        if (asked.kind().equals("Table")) {
            return new TableForm(
                    format,
                    mediaType,
                    asked.version(),
                    type,
                    Columns.of(type, request.info().subresource()),
                    includeObject(request),
                    clock);
        }
        MetadataOnly form = new MetadataOnly(format, mediaType, asked.version(), asked.kind());
        String verb = request.info().verb();
        if (!READS.contains(verb)) {
            requireMatching(type, !watch && verb.equals("deletecollection"), form);
        }
        return form;
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

    /** Whether objects of a type, as they are or transformed, have an encoding in a media type. */
    private static boolean exists(String mediaType, ResourceType type, @Nullable Transformation asked) {
        if (!mediaType.equals(Accept.PROTOBUF)) {
            return true;
        }
        return asked == null
                ? !type.custom() && Protobuf.knows(type.groupVersion().apiVersion(), type.kind())
                : Protobuf.knows(asked.apiVersion(), asked.kind());
    }

    private static boolean isStream(MediaRange range) {
        String stream = range.parameters().getOrDefault("stream", "");
        return stream.isEmpty() || stream.equals("watch");
    }

    /**
     * Refuses a form of one object for a list, and the other way around. Of reads this is looked at once all is read (apiserver
     * {@code handlers/response.go}).
     *
     * @throws StatusException 406
     */
    public static void requireMatching(ResourceType type, boolean list, Representation form) {
        if (form instanceof MetadataOnly only && list != only.asked().equals("PartialObjectMetadataList")) {
            String what = list ? "a list (" + goName(type) + ")" : "not a list (" + type.kind() + ")";
            throw new StatusException(Status.of(
                    406, "NotAcceptable", "you requested " + only.asked() + ", but the requested object is " + what));
        }
    }

    /** The type of a list as Go names it, in kube-apiserver's internal version. */
    private static String goName(ResourceType type) {
        String group = type.storedAs().group();
        return type.custom()
                ? "*unstructured.UnstructuredList"
                : "*" + (group.isEmpty() ? "core" : group.split("\\.", 2)[0]) + "." + type.listKind();
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
        if (mediaType.equals(Accept.PROTOBUF)) {
            return BodyFormat.PROTOBUF;
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
