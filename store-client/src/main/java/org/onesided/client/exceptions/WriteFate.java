package org.onesided.client.exceptions;

/**
 * Whether the write behind an exception may have taken effect.
 */
public enum WriteFate
{
    /** There was no write. */
    NONE,
    /** The write took effect; said of a part of a batch only. */
    APPLIED,
    /** The write did not and will not take effect. */
    NOT_APPLIED,
    /** The write may have taken effect, or may still do so. */
    UNKNOWN
}
