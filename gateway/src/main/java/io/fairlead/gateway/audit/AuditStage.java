package io.fairlead.gateway.audit;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** When in its life a request is recorded (apiserver {@code pkg/apis/audit}). */
enum AuditStage {
    /** Its caller is known, and nothing was done yet. */
    REQUEST_RECEIVED("RequestReceived"),
    /** The head of the answer was sent; of requests that last, and of callers that are not known. */
    RESPONSE_STARTED("ResponseStarted"),
    /** The answer is over. */
    RESPONSE_COMPLETE("ResponseComplete"),
    /** In place of the former, if a fault of the program ended it. */
    PANIC("Panic");

    /** Every stage, as policies name them. */
    static final List<String> TEXTS =
            Arrays.stream(values()).map(AuditStage::text).toList();

    private final String text;

    AuditStage(String text) {
        this.text = text;
    }

    static Optional<AuditStage> of(String text) {
        return Arrays.stream(values()).filter(stage -> stage.text.equals(text)).findFirst();
    }

    /** As policies and lines have it. */
    String text() {
        return text;
    }
}
