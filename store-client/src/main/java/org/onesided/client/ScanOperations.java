package org.onesided.client;

import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.types.EntryConsumer;
import org.onesided.client.types.ScannedEntry;
import org.onesided.client.types.ServerInfo;

/**
 * Scans: they pass pairs to code of the application, in no particular order, by bulk READs. Each pair held at some
 * moment during the call. A key that is present all the time is passed once; one that is deleted and put again
 * meanwhile may be passed more than once, or not at all. The deadline holds for each step and not for the whole.
 *
 * <p>With a prefix, a scan passes only the pairs whose keys begin with these bytes. It READs all pairs nevertheless,
 * because keys have no order in the table: it takes as long as a scan without one. A scan that its visitor ends early
 * READs no more than what it has begun.
 *
 * <p>Consumers and visitors are called in the calling thread. They must not use the session that scans, which refuses
 * it with an {@link IllegalStateException}. A scan throws {@link StoreDisconnectedException} if the server is restarted
 * with an empty table meanwhile: start it again.
 */
public interface ScanOperations
{
    /**
     * Passes all pairs to a consumer.
     *
     * @param consumer gets the pairs.
     */
    default void scan(final EntryConsumer consumer)
    {
        scan(Texts.NONE, consumer);
    }

    /**
     * Passes the pairs whose keys have a prefix.
     *
     * @param prefix   of the keys; empty for all.
     * @param consumer gets the pairs.
     */
    default void scan(final byte[] prefix, final EntryConsumer consumer)
    {
        Objects.requireNonNull(consumer, "consumer");
        scanWhile(prefix, entry ->
        {
            consumer.accept(entry.key(), entry.value());
            return true;
        });
    }

    /**
     * As {@link #scan(byte[], EntryConsumer)}.
     *
     * @param prefix   of the keys, text whose UTF-8 form counts; empty for all.
     * @param consumer gets the pairs.
     * @throws StoreLimitException also if the prefix is no valid Unicode.
     */
    default void scan(final String prefix, final EntryConsumer consumer)
    {
        scan(Texts.bytes(Operation.SCAN, prefix, "prefix", server()), consumer);
    }

    /**
     * As {@link #scan(EntryConsumer)}, with version and expiry of each pair.
     *
     * @param consumer gets the pairs, each in the same object.
     */
    default void scanEntries(final Consumer<? super ScannedEntry> consumer)
    {
        scanEntries(Texts.NONE, consumer);
    }

    /**
     * As {@link #scan(byte[], EntryConsumer)}, with version and expiry of each pair.
     *
     * @param prefix   of the keys; empty for all.
     * @param consumer gets the pairs, each in the same object.
     */
    default void scanEntries(final byte[] prefix, final Consumer<? super ScannedEntry> consumer)
    {
        Objects.requireNonNull(consumer, "consumer");
        scanWhile(prefix, entry ->
        {
            consumer.accept(entry);
            return true;
        });
    }

    /**
     * As {@link #scanEntries(byte[], Consumer)}.
     *
     * @param prefix   of the keys, text whose UTF-8 form counts; empty for all.
     * @param consumer gets the pairs, each in the same object.
     * @throws StoreLimitException also if the prefix is no valid Unicode.
     */
    default void scanEntries(final String prefix, final Consumer<? super ScannedEntry> consumer)
    {
        scanEntries(Texts.bytes(Operation.SCAN, prefix, "prefix", server()), consumer);
    }

    /**
     * Passes pairs until the visitor wants no more.
     *
     * @param visitor gets the pairs, each in the same object, and returns whether to go on.
     * @return whether all pairs were passed, and the visitor wanted to go on after the last.
     */
    default boolean scanWhile(final Predicate<? super ScannedEntry> visitor)
    {
        return scanWhile(Texts.NONE, visitor);
    }

    /**
     * Passes the pairs whose keys have a prefix, until the visitor wants no more.
     *
     * @param prefix  of the keys; empty for all.
     * @param visitor gets the pairs, each in the same object, and returns whether to go on.
     * @return whether all these pairs were passed, and the visitor wanted to go on after the last.
     */
    boolean scanWhile(byte[] prefix, Predicate<? super ScannedEntry> visitor);

    /**
     * As {@link #scanWhile(byte[], Predicate)}.
     *
     * @param prefix  of the keys, text whose UTF-8 form counts; empty for all.
     * @param visitor gets the pairs, each in the same object, and returns whether to go on.
     * @return whether all these pairs were passed, and the visitor wanted to go on after the last.
     * @throws StoreLimitException also if the prefix is no valid Unicode.
     */
    default boolean scanWhile(final String prefix, final Predicate<? super ScannedEntry> visitor)
    {
        return scanWhile(Texts.bytes(Operation.SCAN, prefix, "prefix", server()), visitor);
    }

    /**
     * @return the server as of the latest connection; may be called by any thread.
     */
    ServerInfo server();
}
