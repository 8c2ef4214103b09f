package io.fairlead.storage;

import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Options;
import org.rocksdb.WALRecoveryMode;

/** What the native database is opened with. */
final class DatabaseOptions {
    private static final long WRITE_BUFFER_BYTES = 16L * 1024 * 1024;
    private static final long WAL_BYTES_MAX = 64L * 1024 * 1024;

    /** The most open tables, each with a descriptor and an index in memory; the others are opened for each read. */
    private static final int TABLES_OPEN_MAX = 128;

    private DatabaseOptions() {}

    static Options of(Cache blockCache, LogSwitches logs) {
        var byName = new Properties();
        // RocksDB's Java API has no other way: a missing closed log must be reported too.
        byName.setProperty("track_and_verify_wals_in_manifest", "true");
        try (DBOptions tracking = Objects.requireNonNull(DBOptions.getDBOptionsFromProps(byName));
                ColumnFamilyOptions ofFamilies = new ColumnFamilyOptions()) {
            return of(new Options(tracking, ofFamilies), blockCache, logs);
        }
    }

    private static Options of(Options base, Cache blockCache, LogSwitches logs) {
        return base.setCreateIfMissing(true)
                .setParanoidChecks(true)
                // A torn last record was never acknowledged; any other damage must be reported.
                .setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords)
                .setMaxOpenFiles(TABLES_OPEN_MAX)
                .setMaxTotalWalSize(WAL_BYTES_MAX)
                .setWriteBufferSize(WRITE_BUFFER_BYTES)
                .setCompressionType(CompressionType.LZ4_COMPRESSION)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setKeepLogFileNum(2)
                .setListeners(List.of(logs))
                .setTableFormatConfig(new BlockBasedTableConfig().setBlockCache(blockCache));
    }
}
