package io.fairlead.gateway;

import io.fairlead.hosted.archive.ArchiveException;
import io.fairlead.hosted.archive.ArchiveHeader;
import io.fairlead.hosted.archive.ArchiveHeader.Content;
import io.fairlead.hosted.archive.ArchiveReader;
import java.util.Arrays;

/**
 * Whether bytes are a whole archive, as they were written, for programs that pass them on.
 *
 * <p>Threads: one.
 */
public final class ArchiveCheck {
    private final ArchiveReader reader;

    private ArchiveCheck(Content content) {
        this.reader = new ArchiveReader(content, (_, _) -> {});
    }

    /** Of the archive of a hosted cluster. */
    public static ArchiveCheck ofCluster() {
        return new ArchiveCheck(Content.CLUSTER);
    }

    /** Of the archive of a store. */
    public static ArchiveCheck ofStore() {
        return new ArchiveCheck(Content.STORE);
    }

    /**
     * Whether a file that begins with some bytes may be an archive; whether it is one as it was written is for {@link #accept}.
     *
     * @param beginning its first bytes, which need not have all of its first line
     */
    public static boolean isBegunBy(byte[] beginning) {
        for (int at = 0; at < beginning.length; at++) {
            if (beginning[at] == '\n') {
                return ArchiveHeader.isOne(Arrays.copyOf(beginning, at));
            }
        }
        return true;
    }

    /** They are no archive, or not as they were written; the message says where and what was expected. */
    public static final class DamagedException extends Exception {
        private static final long serialVersionUID = 1L;

        DamagedException(ArchiveException damage) {
            super(damage.getMessage());
        }
    }

    /** Looks at more bytes. */
    public void accept(byte[] bytes, int offset, int length) throws DamagedException {
        try {
            reader.accept(bytes, offset, length);
        } catch (ArchiveException damage) {
            throw new DamagedException(damage);
        }
    }

    /** Says that these were all; the number of entries. */
    public long end() throws DamagedException {
        try {
            reader.end();
            return reader.count();
        } catch (ArchiveException damage) {
            throw new DamagedException(damage);
        }
    }
}
