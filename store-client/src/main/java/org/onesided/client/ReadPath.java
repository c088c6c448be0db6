package org.onesided.client;

import java.util.function.Supplier;

/**
 * What READs over an attachment go through: the table's memory and layout, and the steps of a lookup. For the session's
 * thread.
 *
 * @param table       that is read.
 * @param segments    where it is in the server's memory.
 * @param reader      posts READs.
 * @param records     reads and judges records.
 * @param lookup      looks keys up.
 * @param recordSpace where records go that are read one by one.
 * @param batchSpace  gives where the records of groups go; made when it is first asked for.
 */
record ReadPath(
    Table table,
    Segments segments,
    VerbsReader reader,
    RecordReader records,
    Lookup lookup,
    RegisteredBuffer recordSpace,
    Supplier<RegisteredBuffer> batchSpace)
{
}
