package org.onesided.verbs;

/**
 * Whether memory is to be had in huge pages, which spare the CPU and the device address translations.
 */
public enum HugePages
{
    /** Never. */
    OFF,
    /** Where the machine has some free, and the memory fills at least one. */
    AUTO,
    /** Always: memory that cannot be had in huge pages is an error. */
    ON
}
