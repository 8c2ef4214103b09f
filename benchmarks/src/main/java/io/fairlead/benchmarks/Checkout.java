package io.fairlead.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;

/** The source checkout that the current folder lies in. */
public final class Checkout {
    private Checkout() {}

    /**
     * The launcher of the gateway; it has built what is out of date before.
     *
     * @throws IllegalStateException outside of a checkout
     */
    public static Path launcher() {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve("fairlead"))) {
                return folder.resolve("fairlead");
            }
        }
        throw new IllegalStateException(
                "no checkout of Fairlead around " + Path.of("").toAbsolutePath());
    }
}
