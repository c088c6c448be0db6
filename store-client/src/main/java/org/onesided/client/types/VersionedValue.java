package org.onesided.client.types;

/**
 * A value that a key had, and its version.
 *
 * @param value   as the lookup returns it; the caller's own.
 * @param version of that value.
 * @param <T>     type of the value.
 */
public record VersionedValue<T>(T value, Version version)
{
}
