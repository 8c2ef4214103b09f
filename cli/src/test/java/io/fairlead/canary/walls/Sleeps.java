package io.fairlead.canary.walls;

import java.util.concurrent.locks.LockSupport;

/** By another name. */
final class Sleeps {
    void sleep() {
        LockSupport.parkNanos(1);
    }
}
