package org.onesided.client.read;

import org.onesided.client.session.AccessSampler;
import org.onesided.client.session.Attachment;
import org.onesided.client.session.RegisteredBuffer;
import org.onesided.client.session.Table;
import org.onesided.client.session.VerbsReader;

/**
 * The steps of a lookup over one attachment. For the session's thread.
 *
 * @param attachment  that they go over.
 * @param table       that is read.
 * @param reader      posts READs.
 * @param records     reads and judges records.
 * @param lookup      looks keys up.
 * @param recordSpace where records go that are read one by one.
 * @param accesses    is told of each lookup.
 */
record ReadPath(
    Attachment attachment,
    Table table,
    VerbsReader reader,
    RecordReader records,
    Lookup lookup,
    RegisteredBuffer recordSpace,
    AccessSampler accesses)
{
}
