package io.fairlead.packages.registry;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** The body of an answer, which is closed when nothing comes for too long. */
final class TimedStream extends FilterInputStream {
    private final RegistryClock clock;
    private final String server;
    private volatile boolean isLate;

    TimedStream(InputStream in, RegistryClock clock, String server) {
        super(in);
        this.clock = clock;
        this.server = server;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        Duration limit = clock.stallTimeout(server);
        ScheduledFuture<?> end = clock.timer().schedule(this::giveUp, limit.toNanos(), TimeUnit.NANOSECONDS);
        try {
            return super.read(into, offset, length);
        } catch (IOException broken) {
            throw new RegistryException(
                    isLate
                            ? server + " sent nothing for " + limit.toMillis() + " ms in the midst of an answer"
                            : server + " broke off an answer (" + broken.getMessage() + ")");
        } finally {
            end.cancel(false);
        }
    }

    /** Wakes the reader up. */
    private void giveUp() {
        isLate = true;
        try {
            in.close();
        } catch (IOException alreadyBroken) {
            // The reader gets its own failure.
            return;
        }
    }
}
