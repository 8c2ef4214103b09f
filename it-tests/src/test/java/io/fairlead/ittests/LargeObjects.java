package io.fairlead.ittests;

import io.fairlead.ittests.WireConnection.Answer;
import java.io.IOException;

/** ConfigMaps and Secrets, each nearly as large as an object may be, in the clusters that the tenant fills. */
final class LargeObjects {
    private static final String NAMESPACE = "/api/v1/namespaces/default/";

    private LargeObjects() {}

    /** Fills each of the tenant's clusters with so many of so many bytes, every other one a Secret. */
    static void store(AttackedFairlead attacked, int ofEachCluster, int bytes) throws IOException {
        for (String cluster : AttackedFairlead.CROWDED) {
            try (var connection = WireConnection.open(attacked.port(), 1)) {
                for (int i = 0; i < ofEachCluster; i++) {
                    String resource = i % 2 == 0 ? "configmaps" : "secrets";
                    String path = "/clusters/" + cluster + NAMESPACE + resource;
                    Answer stored = connection.exchange(
                            "POST", path, AttackedFairlead.TENANT, "application/json", object("large-" + i, bytes));
                    if (stored.status() != 201 && stored.status() != 409) {
                        throw new AssertionError("POST " + path + ": " + stored);
                    }
                }
            }
        }
    }

    /** Its data is its size, of letters that no compression makes much smaller. */
    static String object(String name, int bytes) {
        var random = new java.util.Random(name.hashCode());
        StringBuilder letters = new StringBuilder(bytes);
        while (letters.length() < bytes / 4 * 4) {
            letters.append((char) ('A' + random.nextInt(26)));
        }
        return "{\"metadata\":{\"name\":\"%s\"},\"data\":{\"d\":\"%s\"}}".formatted(name, letters);
    }
}
