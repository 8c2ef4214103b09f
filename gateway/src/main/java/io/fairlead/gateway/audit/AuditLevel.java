package io.fairlead.gateway.audit;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** How much of a request is recorded (apiserver {@code pkg/apis/audit}); each level has what those before it have. */
public enum AuditLevel {
    NONE("None"),
    METADATA("Metadata"),
    REQUEST("Request"),
    REQUEST_RESPONSE("RequestResponse");

    /** Every level, as policies name them. */
    static final List<String> TEXTS =
            Arrays.stream(values()).map(AuditLevel::text).toList();

    private final String text;

    AuditLevel(String text) {
        this.text = text;
    }

    static Optional<AuditLevel> of(String text) {
        return Arrays.stream(values()).filter(level -> level.text.equals(text)).findFirst();
    }

    /** As policies and lines have it. */
    public String text() {
        return text;
    }
}
