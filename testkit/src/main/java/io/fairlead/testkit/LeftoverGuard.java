package io.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a class of tests that leaves a thread or a socket behind. Not where classes run side by side: what one of them
 * leaves could not be told from what another still uses.
 */
public final class LeftoverGuard implements BeforeAllCallback {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String SIDE_BY_SIDE = "junit.jupiter.execution.parallel.enabled";

    @Override
    public void beforeAll(ExtensionContext context) {
        boolean isNested = context.getTestClass().orElseThrow().isMemberClass();
        boolean isSideBySide = context.getConfigurationParameter(SIDE_BY_SIDE, Boolean::parseBoolean)
                .orElse(false);
        if (!isNested && !isSideBySide) {
            Leftovers before = Leftovers.since();
            // The first of the class that is stored is closed last.
            AutoCloseable check = () -> assertThat(before.after(PATIENCE))
                    .as("left over by %s", context.getDisplayName())
                    .isEmpty();
            context.getStore(ExtensionContext.Namespace.create(LeftoverGuard.class))
                    .put(context.getUniqueId(), check);
        }
    }
}
