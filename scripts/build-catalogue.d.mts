export function catalogueSource(): string;
export function writeCatalogue(): boolean;
