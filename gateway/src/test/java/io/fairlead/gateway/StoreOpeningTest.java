package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.storage.EmbeddedStore;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreOpeningTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set before each test
    private Path folder;

    @Test
    void openingThatMeetsAnError_isTheStartsOwn() {
        Error error = new NoClassDefFoundError("of a test");
        StoreOpening opening = StoreOpening.begin(() -> {
            throw error;
        });

        assertThatThrownBy(opening::get).isSameAs(error);
        opening.close();
    }

    @Test
    void storeThatCannotBeOpened_failsTheStart_withItsReason() {
        StartFailure failure = new StartFailure("of a test", "hint");
        StoreOpening opening = StoreOpening.begin(() -> {
            throw failure;
        });

        assertThatThrownBy(opening::get).isSameAs(failure);
        opening.close();
    }

    /** A start that fails for another reason meanwhile must not leave it open. */
    @Test
    void storeThatNothingAskedFor_isClosedOnceItIsOpen() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        StoreOpening opening = StoreOpening.begin(() -> {
            begun.countDown();
            return open();
        });
        begun.await();

        opening.close();

        try (EmbeddedStore again = open()) {
            assertThat(again.revision()).isNotNegative();
        }
    }

    private EmbeddedStore open() {
        return EmbeddedStore.open(folder.resolve("store"), Limited.storeByDefault());
    }
}
