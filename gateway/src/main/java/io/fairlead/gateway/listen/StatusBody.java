package io.fairlead.gateway.listen;

import io.fairlead.http.DateField;
import io.fairlead.http.FieldName;
import io.fairlead.http.MutableFields;
import io.fairlead.model.Status;
import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** A failure as the JSON of a {@code v1 Status} (apimachinery {@code meta/v1}), with the headers that go with it. */
public final class StatusBody {
    private static final JsonFactory JSON = new JsonFactory();

    /** From this code on the failure is not the request's, and later requests meet it too, discovery first. */
    private static final int SERVER_ERROR = 500;

    /** A client cannot read header fields that are too long; the body has the whole text. */
    private static final int WARNING_CHARS_MAX = 1024;

    private StatusBody() {}

    /**
     * Date, content type, caching, {@code Retry-After} and {@code Warning}; without the length. Each server-side failure adds
     * a warning, since kubectl and helm do not show the body of a failed discovery; other failures do if they request
     * it.
     */
    public static MutableFields headers(Status status) {
        MutableFields headers = new MutableFields()
                .add(FieldName.CONTENT_TYPE, "application/json")
                .add(FieldName.CACHE_CONTROL, "no-cache, private")
                .add(FieldName.DATE, DateField.now())
                .add(FieldName.X_CONTENT_TYPE_OPTIONS, "nosniff");
        if (status.retryAfterSeconds() > 0) {
            headers.add(FieldName.RETRY_AFTER, Integer.toString(status.retryAfterSeconds()));
        }
        if (status.isWarning() || status.code() >= SERVER_ERROR) {
            headers.add(WarningField.NAME, WarningField.value(cut(status.message())));
        }
        return headers;
    }

    private static String cut(String text) {
        return text.length() <= WARNING_CHARS_MAX ? text : text.substring(0, WARNING_CHARS_MAX) + "...";
    }

    public static byte[] encode(Status status) {
        var out = new ByteArrayOutputStream(256);
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
            json.writeStartObject();
            json.writeStringProperty("kind", "Status");
            json.writeStringProperty("apiVersion", "v1");
            json.writeObjectPropertyStart("metadata");
            json.writeEndObject();
            json.writeStringProperty("status", "Failure");
            writeUnlessEmpty(json, "message", status.message());
            writeUnlessEmpty(json, "reason", status.reason());
            writeDetails(json, status.details());
            json.writeNumberProperty("code", status.code());
            json.writeEndObject();
        }
        out.write('\n');
        return out.toByteArray();
    }

    private static void writeDetails(JsonGenerator json, Status.@Nullable Details details) {
        if (details == null) {
            return;
        }
        json.writeObjectPropertyStart("details");
        writeUnlessEmpty(json, "name", details.name());
        writeUnlessEmpty(json, "group", details.group());
        writeUnlessEmpty(json, "kind", details.kind());
        writeUnlessEmpty(json, "uid", details.uid());
        if (!details.causes().isEmpty()) {
            json.writeArrayPropertyStart("causes");
            details.causes().forEach(cause -> writeCause(json, cause));
            json.writeEndArray();
        }
        if (details.retryAfterSeconds() > 0) {
            json.writeNumberProperty("retryAfterSeconds", details.retryAfterSeconds());
        }
        json.writeEndObject();
    }

    private static void writeCause(JsonGenerator json, Status.Cause cause) {
        json.writeStartObject();
        writeUnlessEmpty(json, "reason", cause.reason());
        writeUnlessEmpty(json, "message", cause.message());
        writeUnlessEmpty(json, "field", cause.field());
        json.writeEndObject();
    }

    private static void writeUnlessEmpty(JsonGenerator json, String name, String value) {
        if (!value.isEmpty()) {
            json.writeStringProperty(name, value);
        }
    }
}
