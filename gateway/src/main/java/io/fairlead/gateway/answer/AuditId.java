package io.fairlead.gateway.answer;

import io.fairlead.http.FieldName;
import io.fairlead.http.MutableFields;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** The id that ties a request to its trace in every log on its way (apiserver {@code WithAuditID}). */
public final class AuditId {
    public static final String HEADER = "Audit-Id";

    private static final int LENGTH_MAX = 64;

    private AuditId() {}

    /** The caller's own id if it is short and plain, otherwise a new one. */
    public static String of(MutableFields request) {
        String given = request.get(FieldName.AUDIT_ID);
        return given != null && isPlain(given) ? given : next();
    }

    private static boolean isPlain(String id) {
        for (int i = 0; i < id.length(); i++) {
            if (id.charAt(i) <= ' ' || id.charAt(i) >= 0x7f) {
                return false;
            }
        }
        return !id.isEmpty() && id.length() <= LENGTH_MAX;
    }

    /** Need not be unguessable, so it uses no secure random numbers. */
    private static String next() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        long high = (random.nextLong() & ~0xf000L) | 0x4000L;
        long low = (random.nextLong() & Long.MAX_VALUE >>> 1) | Long.MIN_VALUE;
        return new UUID(high, low).toString();
    }
}
